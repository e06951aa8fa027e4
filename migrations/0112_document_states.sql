-- The state of a document follows from the workflows about it: what it was before one started, and what one led to.
ALTER TABLE workflow
  ADD COLUMN document_status_before text,
  ADD COLUMN document_result text CHECK (document_result IN ('approved', 'draft'));
