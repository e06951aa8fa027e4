-- What the token could read that last said what an API client's endpoint gets and where that leads. The endpoint gets no
-- events beyond these, nor beyond what the client itself holds when they happen. Null: whatever the client holds.
ALTER TABLE webhook_endpoint ADD COLUMN scopes text[];
