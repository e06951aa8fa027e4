-- A member lets an API client act on their behalf on a resource. `granted_by` is that member.
ALTER TABLE access_grant DROP CONSTRAINT access_grant_source_check,
  ADD CONSTRAINT access_grant_source_check CHECK (source IN ('share', 'confinement', 'task', 'record', 'audit', 'consent'));
