import type { DomainText } from '../../../platform/http/openapi/texts.ts';

export const outputsText: DomainText['operations'] = {
  drawInterfaceChain: {
    text: 'Draws what follows from a submission of the draft as SVG: documents, workflows with their steps, envelopes, records and webhooks. A dashed box has a condition. Names and steps that the caller cannot read are absent. The image has a title and a description for screen readers, no scripts, and loads nothing. With `If-None-Match` an unchanged image is not sent again.',
  },
  checkInterfaceOutputs: {
    text: 'Checks the outputs of the draft (`config.then`) with the rights of the caller, as publication does. With `data`, it also checks them for these answers: it fills in each template and registry, and returns the values and the errors. It creates and stores nothing. Requires the right to edit the interface.',
    problems: ['submission_invalid', 'document_limit_exceeded', 'document_queue_full'],
    body: { data: { company: 'Northwind' } },
    answer: {
      outputs: [
        { id: 'nda', make: 'document', ok: true, problems: [], values: { receiving: { name: 'Northwind' } } },
        {
          id: 'flow',
          make: 'workflow',
          ok: false,
          problems: [
            {
              pointer: '/config/then/1/parameters/party',
              reason: 'is required by the workflow template, and the mapping has no value for it',
              rule: 'required',
              severity: 'error',
            },
          ],
        },
      ],
    },
  },
};
