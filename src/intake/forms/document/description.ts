import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const none = ['interface_not_found', 'no_submission_session'];

export const documentText: DomainText['operations'] = {
  getSubmissionStatus: {
    text: 'Says whether the PDF of the last submission of the caller’s session can be downloaded. `documentId` names the document that was made of it in the folders of the team, and the PDF itself where there is none. The session is the cookie `submission`, or the header `x-submission-session` of the answer to the submission, and shows this for a day after it, also when the form was closed or its link replaced meanwhile. To other sessions it is 404, and so it is where a form makes no document or keeps it to itself (`allowPdf`).',
    problems: none,
    never: ['not_found'],
    answer: { documentId: desk.document, ready: true },
  },
  downloadSubmissionPdf: {
    text: 'The PDF with the answers of the last submission of the caller’s session: PDF/A-2a, tagged, in the language in which the form was filled in, with a code that says whether a copy is genuine. It is made within seconds of the submission, and is 409 `document_not_ready` until then.',
    problems: [...none, 'document_not_ready', 'document_failed'],
    never: ['not_found'],
  },
};
