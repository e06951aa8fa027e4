-- When a team was closed: what it held is kept for 30 days and then erased, save for its journal.
ALTER TABLE team ADD COLUMN closed_at timestamptz;
ALTER TABLE team ADD COLUMN purged_at timestamptz;
CREATE INDEX team_to_purge ON team (closed_at) WHERE closed_at IS NOT NULL AND purged_at IS NULL;

CALL open_to_system('sso_domain', 'SELECT', 'DELETE');
CALL open_to_system('sso_connection', 'SELECT', 'DELETE');
CALL open_to_system('federated_identity', 'SELECT', 'DELETE');
CALL open_to_system('task', 'DELETE');
CALL open_to_system('task_comment', 'SELECT', 'DELETE');
CALL open_to_system('workflow', 'DELETE');
CALL open_to_system('workflow_step', 'DELETE');
CALL open_to_system('workflow_template', 'SELECT', 'DELETE');
CALL open_to_system('api_client', 'SELECT', 'DELETE');
CALL open_to_system('webhook_endpoint', 'DELETE');
CALL open_to_system('webhook_endpoint_state', 'DELETE');
CALL open_to_system('webhook_pace', 'DELETE');
CALL open_to_system('webhook_delivery', 'DELETE');
CALL open_to_system('webhook_attempt', 'DELETE');
