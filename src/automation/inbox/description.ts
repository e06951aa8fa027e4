import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

export const description: DomainText = {
  operations: {
    readInbox: {
      text: 'Returns your pending work, the most urgent first. It contains your open tasks, claimable tasks, and votes of approval rounds. It also contains pending bookings and records under your control, your signature requests, and failed webhook deliveries. A kind needs the scopes of its own operations. Without them it has no count and no items. An API client has no tasks, votes and signature requests. `kind` selects kinds, and `q` titles. Each count is at most 1 000; with more items it has `isLowerBound`.',
      answer: {
        counts: { tasks: { open: 1, overdue: 0 }, approvals: { open: 0, overdue: 0 }, signatures: { open: 0 } },
        items: [
          {
            kind: 'task',
            id: desk.reviewTask,
            title: 'Check the indemnity clause',
            dueAt: desk.friday,
            createdAt: desk.tuesday,
            type: 'task',
            documentId: desk.document,
          },
        ],
      },
    },
  },
};
