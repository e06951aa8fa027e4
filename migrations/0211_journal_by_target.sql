-- What happened to one thing, newest first.
CREATE INDEX audit_entry_by_target ON audit_entry (team_id, target_id, at, id) WHERE target_id IS NOT NULL;
