"""The conformance kit: does a game keep the contract? See docs/kit.md."""

from islebots.core.kit.laws import LAWS, Law
from islebots.core.kit.report import Failure, LawReport, Report, RunReport
from islebots.core.kit.run import check

__all__ = ["LAWS", "Failure", "Law", "LawReport", "Report", "RunReport", "check"]
