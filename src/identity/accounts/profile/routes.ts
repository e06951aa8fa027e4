import { linkSelf } from '../../../platform/http/responses.ts';
import { principalOf, reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Accounts } from '../context.ts';
import { bodyLimit, prefix, tags } from '../request-context.ts';
import { requestEmailChange } from './email-change.ts';
import { getNotifications, updateNotifications } from './notifications.ts';
import { getProfile, updateProfile } from './service.ts';
import * as schemas from '../schemas.ts';

export function profileRoutes(app: App, accounts: Accounts): void {
  app.get(
    `${prefix}/profile`,
    {
      config: { access: { kind: 'user', scope: 'profile:read' } },
      schema: { operationId: 'getProfile', summary: 'Read your profile', tags, response: { 200: schemas.profile } },
    },
    (request) => getProfile(reading(request), principalOf(request).actor.id),
  );

  app.put(
    `${prefix}/profile`,
    {
      config: { access: { kind: 'user', scope: 'profile:write' } },
      bodyLimit,
      schema: {
        operationId: 'updateProfile',
        summary: 'Change one’s profile',
        tags,
        body: schemas.profileBody,
        response: { 200: schemas.updatedProfile },
      },
    },
    async (request, reply) => {
      linkSelf(reply, request, `${prefix}/profile`);
      const { actor, sessionId } = principalOf(request);
      return writing(request, async (scope) => {
        const before = await getProfile(scope, actor.id);
        const newEmail = request.body.email;
        const moves = newEmail !== undefined && newEmail !== before.email;
        if (moves) await requestEmailChange(accounts, scope, sessionId, newEmail);
        const { id, email, firstName, lastName } = await updateProfile(scope, actor.id, sessionId, request.body);
        const message = moves
          ? 'The profile was changed. A code was mailed to the new address, which applies after you confirm the code.'
          : 'The profile was changed.';
        return { id, email, firstName, lastName, message };
      });
    },
  );

  app.get(
    `${prefix}/profile/notifications`,
    {
      config: { access: { kind: 'user', scope: 'profile:read' } },
      schema: {
        operationId: 'getNotificationSettings',
        summary: 'Read your notification settings',
        tags,
        response: { 200: schemas.notifications },
      },
    },
    (request) => getNotifications(reading(request), principalOf(request).actor.id),
  );

  app.put(
    `${prefix}/profile/notifications`,
    {
      config: { access: { kind: 'user', scope: 'profile:write' } },
      bodyLimit,
      schema: {
        operationId: 'updateNotificationSettings',
        summary: 'Change your notification settings',
        tags,
        body: schemas.notifications,
        response: { 200: schemas.notifications },
      },
    },
    (request) => writing(request, (scope) => updateNotifications(scope, principalOf(request).actor.id, request.body)),
  );
}
