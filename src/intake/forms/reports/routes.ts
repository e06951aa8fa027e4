import type { OverTeams } from '#staff';
import { Type } from 'typebox';
import { answerPage, newestFirst } from '../../../platform/http/page.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Interfaces } from '../links.ts';
import * as schemas from './schemas.ts';
import { dismissReports, listReports } from './service.ts';

const prefix = '/api/v1/staff';
const tags = ['Staff operations'];
const config = { access: { kind: 'staff' } } as const;
/** The maximum page size. The list covers the whole service, so it is always paged. */
const maxPageSize = 500;

/** The routes for staff to read and dismiss reports. */
export function reportRoutes(app: App, interfaces: Interfaces, staff: OverTeams): void {
  app.get(
    `${prefix}/interface-reports`,
    {
      config,
      schema: {
        operationId: 'listInterfaceReports',
        summary: 'List reports about public pages',
        tags,
        querystring: schemas.reportsQuery,
        response: { 200: Type.Array(schemas.report) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const place = newestFirst(query, maxPageSize);
        const found = await staff.ofService(request, 'staff lists reports of interfaces', (scope) => listReports(interfaces, scope, place));
        return { found, limit: place.limit, keyOf: ({ createdAt, id }) => [createdAt, id] };
      }),
  );

  app.post(
    `${prefix}/interfaces/:teamId/:id/dismiss-reports`,
    {
      config,
      bodyLimit: 16 * 1024,
      schema: {
        operationId: 'dismissInterfaceReports',
        summary: 'Dismiss the reports of an interface',
        tags,
        params: schemas.reportPath,
        body: schemas.dismissBody,
        response: { 200: schemas.dismissed },
      },
    },
    (request) =>
      staff.ofService(request, 'staff dismisses reports of an interface', (scope) =>
        dismissReports(scope, request.params, request.body.reason),
      ),
  );
}
