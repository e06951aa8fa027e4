import { defineProblems } from '../../platform/problems.ts';

export const templateProblems = defineProblems({
  document_template_invalid: {
    status: 422,
    title: 'Invalid template',
    help: '`errors` lists each error, with its line in the source or its JSON pointer in the schema or the first example. A template has no packages, no `eval` and no `plugin`, and reads only its own pictures. It produces PDF/A-2a, which needs an alternative text for each picture; see docs/guides/generate-documents.md.',
  },
  document_data_invalid: {
    status: 422,
    title: 'Invalid template values',
    help: '`errors` lists each invalid value by a JSON pointer, with the rule that it breaks. If the template itself failed, `errors` has the line. `GET /api/v1/document-templates/{id}` shows the schema with examples.',
  },
  document_limit_exceeded: {
    status: 422,
    title: 'Document limit exceeded',
    help: 'A document may take 10 s of processor time and 512 MB of memory, and may have at most 200 pages. Look for an expensive loop, or send fewer values.',
  },
  document_source_not_found: {
    status: 422,
    title: 'Source of values not found',
    help: 'The submission or record does not exist, was erased, or you may not read it. An API client also needs the scope to read it: `interfaces:read` or `registries:read`.',
  },
  document_outside_barrier: {
    status: 422,
    title: 'The document would leave the barrier',
    help: 'A barrier protects the submission, so its documents must be in the same barrier. Set `folderId` to a folder in that barrier.',
  },
  document_queue_full: {
    status: 429,
    title: 'Too many documents in the queue',
    help: 'Chancery creates the documents of a team one after the other. Send this request again after the number of seconds in `Retry-After`.',
  },
});
