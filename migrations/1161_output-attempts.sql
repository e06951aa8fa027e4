-- The time of the next attempt of an output that a limit delayed. `code` and `detail` then have the reason.
ALTER TABLE submission_output ADD COLUMN next_attempt_at timestamptz;
