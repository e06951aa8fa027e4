import { defineProblems } from '../../platform/problems.ts';

export const templateProblems = defineProblems({
  document_template_invalid: {
    status: 422,
    title: 'The template cannot be set',
    help: '`errors` names each fault: of the source with its line, of the schema and of its first example with a JSON pointer. A template has no packages, no `eval` and no `plugin`, reads its own pictures alone, and comes out as PDF/A-2a, which wants a text beside each picture; see docs/guides/generate-documents.md.',
  },
  document_data_invalid: {
    status: 422,
    title: 'The values do not fit the template',
    help: '`errors` names each value with a JSON pointer and the rule of the schema that it breaks, or the line of the template that could not work with it. `GET /api/v1/document-templates/{id}` shows the schema with examples.',
  },
  document_limit_exceeded: {
    status: 422,
    title: 'The document takes too much',
    help: 'A document is set within 10 seconds of the processor and 512 MB of memory, and has at most 200 pages. Look for a loop that does too much, or give fewer values.',
  },
  document_source_not_found: {
    status: 422,
    title: 'There is nothing of that name to make it from',
    help: 'The submission or record is not there, was erased, or you may not read it. An API client needs the scope to read it as well: `interfaces:read`, `registries:read`.',
  },
  document_outside_barrier: {
    status: 422,
    title: 'The document would stand outside the barrier',
    help: 'What was answered lives behind a barrier, and what is made of it stays there: name a folder behind the same barrier as `folderId`.',
  },
  document_queue_full: {
    status: 429,
    title: 'Many documents wait to be made',
    help: 'The documents of a team are made one after the other. Wait for those that you have asked for, and send this one again after the seconds that `Retry-After` says.',
  },
});
