"""Comments, issues and approvals on code hosts, against served doubles of their interfaces."""
