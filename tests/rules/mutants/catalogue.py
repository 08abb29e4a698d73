"""All planted defects."""

from tests.rules.mutants.authority import AUTHORITY
from tests.rules.mutants.candidacy import CANDIDACY
from tests.rules.mutants.kernel import KERNEL_RULES
from tests.rules.mutants.merges import MERGES
from tests.rules.mutants.mutant import Mutant
from tests.rules.mutants.operations import OPERATIONS
from tests.rules.mutants.prerequisites import BESIDE
from tests.rules.mutants.settlements import SETTLEMENTS
from tests.rules.mutants.shell import SHELL

ALL: tuple[Mutant, ...] = (*MERGES, *SETTLEMENTS, *AUTHORITY, *CANDIDACY, *BESIDE, *KERNEL_RULES, *SHELL, *OPERATIONS)
