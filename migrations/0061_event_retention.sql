-- Events go when no delivery of theirs is kept any more; they come in the order of time, so that a few bytes a block find them.
CREATE INDEX event_by_age ON event USING brin (created_at);
