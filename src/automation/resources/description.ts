import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

export const description: DomainText = {
  operations: {
    lookUpNames: {
      text: 'Returns types and names for up to 200 identifiers. The member `type` lists the types. Each type needs the scope and the access of its own read operation. An unknown identifier is missing. So are those of other teams, of resources in the bin and of resources that you may not view. A user always reads their own name; guests read no other users. A former member has `left`, and no name.',
      body: { ids: [desk.priya.id, desk.document, desk.entry] },
      answer: {
        names: [
          { id: desk.priya.id, type: 'user', name: `${desk.priya.firstName} ${desk.priya.lastName}` },
          { id: desk.document, type: 'document', name: 'Non-disclosure agreement' },
        ],
      },
    },
  },
};
