import { writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Interfaces } from '../links.ts';
import { taskLink, taskLinkBody } from './schemas.ts';
import { linkForAssignee } from './service.ts';

/** The route for form links of tasks. */
export function taskFormRoutes(app: App, interfaces: Interfaces): void {
  app.post(
    '/api/v1/interfaces/task-links',
    {
      config: { access: { kind: 'user', scope: 'tasks:write' } },
      schema: {
        operationId: 'linkTaskForm',
        summary: 'Get the form link of a task',
        tags: ['Interfaces'],
        body: taskLinkBody,
        response: { 200: taskLink },
      },
    },
    (request) => writing(request, (scope) => linkForAssignee(interfaces, scope, request.body.taskId)),
  );
}
