import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

export const description: DomainText = {
  operations: {
    streamChanges: {
      text: 'Streams changes of the resources that you may view (`text/event-stream`), so that a client reads again only what changed. Each event `change` has `type`, `id` and `updatedAt` of a resource; its types are those of `POST /api/v1/names`, `submission` and `booking`. Each type needs the scope and the access of its own read operation, and access is checked when the event is sent. Several changes of a resource within a second are one event. A change of a document is also one of its folder. A change of a record is also one of its registry, and a change of a run or job one of its agent. A resource that was deleted has no event of its own. The first event is `ready`. The `id` of an event is a position in the team’s journal; with `Last-Event-ID` the stream continues after it. If that position is unknown or more than 10 000 entries old, the first event is `reset`: read all again. Without `Accept: text/event-stream` the response ends after the existing changes. A connection lasts at most ten minutes, and no longer than its credential. A person can have ten connections.',
    },
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
