"""control: the control plane under `/_sandbox/`, for tests and demos; no part of the platform."""
