import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const answer = { id: desk.interface, teamId: desk.team.id, suspended: true };
const body = { reason: 'It asks for passwords of another service.' };

export const suspensionText: DomainText['operations'] = {
  suspendInterface: {
    text: 'Suspends an interface: its links are 404 at once, for visitors and programs. What was submitted and booked stays, and those who may see the interface are shown the reason. What visitors reported of it ends. Nothing of the interface is told to staff.',
    records: ['interface.suspended'],
    problems: ['totp_setup_required', 'interface_suspended'],
    body,
    answer,
  },
  resumeInterface: {
    text: 'Lets a suspended interface go on: its links lead to it again, as it was. The reason stands in the journal of the team.',
    records: ['interface.resumed'],
    problems: ['totp_setup_required', 'interface_not_suspended'],
    body: { reason: 'The question was taken out.' },
    answer: { ...answer, suspended: false },
  },
};
