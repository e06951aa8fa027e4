-- A document that an API client made and nobody else has changed or moved since. What was there before counts as taken over.
ALTER TABLE document ADD COLUMN made_by_client uuid;

-- A request to break the glass of a wall waits until then, and keeps its reason. Another reason makes another request.
ALTER TABLE folder_wall_opening NO FORCE ROW LEVEL SECURITY;
ALTER TABLE folder_wall_opening ADD COLUMN waits_until timestamptz;
UPDATE folder_wall_opening SET waits_until = asked_at + interval '24 hours';
ALTER TABLE folder_wall_opening ALTER COLUMN waits_until SET NOT NULL;
ALTER TABLE folder_wall_opening FORCE ROW LEVEL SECURITY;
DROP INDEX folder_wall_opening_once;
