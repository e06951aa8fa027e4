-- Bookings to decide, and signatures to give, for the inbox. The indexes contain no ended ones.
CREATE INDEX booking_to_decide ON booking (team_id, calendar_id, ends_waiting, id) WHERE status = 'pending';
CREATE INDEX signature_signer_pending ON signature_signer (team_id, account_id) WHERE account_id IS NOT NULL AND status IN ('pending', 'viewed');
