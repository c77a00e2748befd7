"""What calls took, added up.

Owns the sum: what is cached costs nothing, and one unknown price makes the whole unknown.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.document import Usage
from octavo.models.gateway import Settled, Spend


def usage_of(taken: Sequence[Settled], failed: Sequence[Spend] = ()) -> Usage:
    """Return what calls took together: a cached one nothing, `failed` attempts what they may have been billed."""
    paid = [Usage(cached_calls=1) if one.is_cached else _paid(one) for one in taken]
    return total([*paid, *(Usage(one.calls, one.input_tokens, one.output_tokens, cost=one.cost) for one in failed)])


def _paid(settled: Settled) -> Usage:
    return Usage(
        calls=1,
        input_tokens=settled.reply.input_tokens,
        output_tokens=settled.reply.output_tokens,
        seconds=settled.seconds,
        cost=settled.cost,
    )


def total(usages: Sequence[Usage]) -> Usage:
    """Return the sum. The cost is None when no calls were made, or the price of one is not known."""
    paid = [usage for usage in usages if usage.calls]
    is_priced = bool(paid) and all(usage.cost is not None for usage in paid)
    return Usage(
        calls=sum(usage.calls for usage in usages),
        input_tokens=sum(usage.input_tokens for usage in usages),
        output_tokens=sum(usage.output_tokens for usage in usages),
        cached_calls=sum(usage.cached_calls for usage in usages),
        seconds=sum(usage.seconds for usage in usages),
        cost=sum(usage.cost or 0.0 for usage in paid) if is_priced else None,
    )
