-- kind: expand
-- The documents of a form that its conditions omitted, by the names that steps use. Steps do without them.
ALTER TABLE workflow ADD COLUMN omitted_documents text[] NOT NULL DEFAULT '{}';
