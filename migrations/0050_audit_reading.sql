-- The journal is read newest first by the time of the act, alone or narrowed to a type or an actor.
DROP INDEX audit_entry_by_type;
CREATE INDEX audit_entry_by_time ON audit_entry (team_id, at, id);
CREATE INDEX audit_entry_by_type ON audit_entry (team_id, type, at, id);
CREATE INDEX audit_entry_by_actor ON audit_entry (team_id, actor_id, at, id);
