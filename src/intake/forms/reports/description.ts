import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const teamId = desk.team.id;

export const reportsText: DomainText['operations'] = {
  listInterfaceReports: {
    text: 'What visitors reported by the link at the foot of a public page, in all teams, until staff suspend the interface or dismiss its reports. Who reported is not kept, and teams are not shown it. At most 100 of one interface wait; what comes beyond is thanked for and not kept.',
    problems: ['totp_setup_required'],
    answer: [
      {
        id: desk.report,
        teamId,
        interfaceId: desk.interface,
        title: 'New matter',
        publicUrl: `https://chancery.example/f/${desk.publicToken}`,
        suspended: false,
        reason: 'credentials',
        text: 'It wants the password of my mailbox.',
        createdAt: '2026-10-20T09:00:00.000Z',
      },
    ],
  },
  dismissInterfaceReports: {
    text: 'Ends all reports of an interface that staff see no reason to act on. The journal of the service keeps how many there were and why; the team is not told. Where there are none, nothing is ended.',
    records: ['interface.reports_dismissed'],
    problems: ['totp_setup_required'],
    body: { reason: 'The page is what it says it is.' },
    answer: { id: desk.interface, teamId, reports: 2 },
  },
};
