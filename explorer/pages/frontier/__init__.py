"""The frontier page: what accuracy a budget can buy."""
