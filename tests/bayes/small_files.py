"""One small network in every text format that is read."""

BIF = """network unknown {
}
variable A {
  type discrete [ 2 ] { yes, no };
}
variable B {
  type discrete [ 3 ] { low, mid, high };
}
probability ( A ) {
  table 0.25, 0.75;
}
probability ( B | A ) {
  (yes) 0.5, 0.25, 0.25;
  (no) 1e-3, 0.0, 0.999;
}
"""
XMLBIF = """<?xml version="1.0"?>
<BIF VERSION="0.3"><NETWORK><NAME>n</NAME>
<VARIABLE TYPE="nature"><NAME>A</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME>
</VARIABLE>
<VARIABLE TYPE="nature"><NAME>B</NAME><OUTCOME>low</OUTCOME><OUTCOME>mid</OUTCOME>
<OUTCOME>high</OUTCOME></VARIABLE>
<DEFINITION><FOR>A</FOR><TABLE>0.25 0.75</TABLE></DEFINITION>
<DEFINITION><FOR>B</FOR><GIVEN>A</GIVEN>
<TABLE>0.5 0.25 0.25 0.001 0.0 0.999</TABLE></DEFINITION>
</NETWORK></BIF>
"""
NET = """net {
}
node A {
  states = ( "yes" "no" );
}
node B {
  states = ( "low" "mid" "high" );
}
potential ( A ) {
  data = ( 0.25 0.75 );
}
potential ( B | A ) {
  data = (( 0.5 0.25 0.25 )( 0.001 0.0 0.999 ));
}
"""
UAI = "BAYES\n2\n2 3\n2\n1 0\n2 0 1\n\n2\n .25 .75\n6\n .5 .25 .25 1e-3 0 .999\n"
TABLE_B = [[0.5, 0.25, 0.25], [0.001, 0.0, 0.999]]


def bif_variables(n, states="a b"):
    """Return as many variables of BIF, V0, V1, ..., of the same states."""
    count = len(states.split())
    return "".join(
        f"variable V{j} {{ type discrete [{count}] {{ {states} }}; }}\n"
        for j in range(n)
    )
