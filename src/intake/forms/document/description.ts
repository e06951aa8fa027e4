import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const none = ['interface_not_found', 'no_submission_session'];

export const documentText: DomainText['operations'] = {
  getSubmissionStatus: {
    text: 'Returns whether the PDF of the session’s last submission is ready. `documentId` identifies the document in the folders of the team, or the PDF if there is no such document. The session is the cookie `submission`, or the header `x-submission-session` of the response to the submission. It is valid for a day, also if the form is closed or its link is replaced. Other sessions get 404, and so do forms that make no document or do not offer it (`allowPdf`).',
    problems: none,
    never: ['not_found'],
    answer: { documentId: desk.document, ready: true },
  },
  downloadSubmissionPdf: {
    text: 'Downloads the PDF with the answers of the session’s last submission. It is tagged PDF/A-2a in the language of the visitor, with a code to verify copies. Chancery makes it within seconds of the submission; until then the response is 409 `document_not_ready`.',
    problems: [...none, 'document_not_ready', 'document_failed'],
    never: ['not_found'],
  },
};
