-- Who answers for a client: whoever made it, until somebody takes it over. One whose person has left the team, or whose
-- password was reset, may be in strange hands: where it can write it waits, switched off, until it is taken over.
ALTER TABLE api_client ADD COLUMN responsible_id uuid;
ALTER TABLE api_client ADD COLUMN awaiting_since timestamptz;
CREATE INDEX api_client_by_person ON api_client (team_id, (coalesce(responsible_id, created_by)));
ALTER TABLE team ADD COLUMN clients_await_takeover boolean NOT NULL DEFAULT true;

-- Who connected a provider; absent for connections of before.
ALTER TABLE sso_connection ADD COLUMN created_by uuid;

-- Staff who turn a person's second factor off have their clients wait, and end their invitations to administer.
CALL open_to_system('api_client', 'UPDATE');
CALL open_to_system('invitation', 'UPDATE');
