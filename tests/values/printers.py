"""How people of several places write numbers, money, percentages and days."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Place:
    decimal: str
    thousands: str
    money: str  # Around the digits
    percent: str
    day: str  # As of ``strftime``
    group: int = 3  # Digits in a group before the last three

    def number(self, number, places=None):
        """Digits of a number in groups, with so many decimals, or all."""
        exact = (
            Decimal(str(number)) if places is None else Decimal(f"{number:.{places}f}")
        )
        whole, _, rest = f"{abs(exact):f}".partition(".")
        head, groups = whole[:-3], [whole[-3:]]
        while head:
            head, groups = head[: -self.group], [head[-self.group :], *groups]
        sign = "-" if exact < 0 else ""
        return (
            sign + self.thousands.join(groups) + (self.decimal + rest if rest else "")
        )

    def amount(self, number):
        return self.money.format(self.number(number, 2))

    def share(self, number, places=1):
        """A number of hundredths."""
        return self.percent.format(self.number(number, places))

    def date(self, day):
        return day.strftime(self.day)


PLACES = {
    "en": Place(".", ",", "${}", "{}%", "%m/%d/%Y"),
    "gb": Place(".", ",", "£{}", "{}%", "%d/%m/%Y"),
    "de": Place(",", ".", "{} €", "{} %", "%d.%m.%Y"),
    "fr": Place(",", "\u202f", "{}\xa0€", "{}\xa0%", "%d/%m/%Y"),
    "sv": Place(",", "\xa0", "{} kr", "{} %", "%Y-%m-%d"),
    "hi": Place(".", ",", "₹{}", "{}%", "%d-%m-%Y", 2),
    "ch": Place(".", "’", "CHF {}", "{}%", "%d.%m.%Y"),
}
