-- When a session last showed its person's second factor, apart from when the person last proved anything: a password that is
-- typed again makes the second factor no more recent. Absent: never, or before this was kept.
ALTER TABLE session ADD COLUMN second_factor_at timestamptz;
ALTER TABLE staff_session ADD COLUMN second_factor_at timestamptz;

-- A new address that no code was mailed to has none: nobody can know it, and nobody is to guess it.
ALTER TABLE email_change ALTER COLUMN code_hmac DROP NOT NULL;
