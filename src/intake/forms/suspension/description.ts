import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const answer = { id: desk.interface, teamId: desk.team.id, suspended: true };
const body = { reason: 'It asks for passwords of another service.' };

export const suspensionText: DomainText['operations'] = {
  suspendInterface: {
    text: 'Suspends an interface: its links respond 404 at once, for visitors and programs. Submissions and bookings stay. Members who can see the interface see the reason. Reports about it end. Discloses no content of the interface to staff.',
    records: ['interface.suspended'],
    problems: ['totp_setup_required', 'interface_suspended'],
    body,
    answer,
  },
  resumeInterface: {
    text: 'Resumes a suspended interface: its links work again. The journal of the team records the reason.',
    records: ['interface.resumed'],
    problems: ['totp_setup_required', 'interface_not_suspended'],
    body: { reason: 'The question was removed.' },
    answer: { ...answer, suspended: false },
  },
};
