import type { OverTeams } from '#staff';
import { Type } from 'typebox';
import type { App } from '../../../platform/http/server.ts';
import { suspendInterface } from './service.ts';

const params = Type.Object({ teamId: Type.String(), id: Type.String() });
const body = Type.Object({
  reason: Type.String({
    minLength: 3,
    maxLength: 1_000,
    description: 'Shown to members who can see the interface, and recorded in the journal of the team',
  }),
});
const answer = Type.Object(
  {
    id: Type.String(),
    teamId: Type.String(),
    suspended: Type.Boolean({ description: 'Whether it is suspended, so that its links respond 404' }),
  },
  { title: 'SuspendedInterface', additionalProperties: false },
);

/** The routes for staff to suspend and resume interfaces. */
export function suspensionRoutes(app: App, staff: OverTeams): void {
  for (const [path, operationId, suspended, summary] of [
    ['suspend', 'suspendInterface', true, 'Suspend an interface'],
    ['resume', 'resumeInterface', false, 'Resume a suspended interface'],
  ] as const) {
    app.post(
      `/api/v1/staff/interfaces/:teamId/:id/${path}`,
      {
        config: { access: { kind: 'staff' } },
        bodyLimit: 16 * 1024,
        schema: { operationId, summary, tags: ['Staff operations'], params, body, response: { 200: answer } },
      },
      (request) =>
        staff.act(request, request.params.teamId, `staff: ${path} an interface`, (scope) =>
          suspendInterface(scope, request.params.id, { suspended, reason: request.body.reason }),
        ),
    );
  }
}
