-- An output of a form can be a record of a registry.
ALTER TABLE submission_output DROP CONSTRAINT submission_output_make_check;
ALTER TABLE submission_output ADD CONSTRAINT submission_output_make_check CHECK (make IN ('document', 'workflow', 'record'));
