-- kind: expand
-- The position in the trace (W3C traceparent) of the transaction that adds a job or an event. Only traced transactions set app.traceparent.
ALTER TABLE job ADD COLUMN traceparent varchar(55);
ALTER TABLE job ALTER COLUMN traceparent SET DEFAULT nullif(current_setting('app.traceparent', true), '');
ALTER TABLE event ADD COLUMN traceparent varchar(55);
ALTER TABLE event ALTER COLUMN traceparent SET DEFAULT nullif(current_setting('app.traceparent', true), '');
