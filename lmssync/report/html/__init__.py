"""html: plans and receipts as one file for a browser: nothing is fetched, nothing leaves it.

What authors wrote is escaped, or stands sanitised in frames that run nothing.
"""

from .plan_page import plan_html as plan_html, receipt_html as receipt_html
from .watch_page import watch_html as watch_html
