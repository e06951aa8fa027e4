import { reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { ModelConfig } from '../config.ts';
import { prefix, runReaders } from '../request-context.ts';
import { settings, settingsBody } from '../schemas.ts';
import { changeSettings, getSettings } from './service.ts';

const tags = ['Agents'];

/** The routes of the consent to send content to a model. */
export function consentRoutes(app: App, model: ModelConfig | undefined): void {
  app.get(
    `${prefix}/settings`,
    {
      config: runReaders,
      schema: { operationId: 'getAgentSettings', summary: 'Read the model settings of agents', tags, response: { 200: settings } },
    },
    (request) => getSettings(reading(request), model),
  );

  app.put(
    `${prefix}/settings`,
    {
      config: { access: { kind: 'user', scope: 'agents:write', person: true } },
      schema: {
        operationId: 'setAgentSettings',
        summary: 'Allow or stop sending data to the model',
        tags,
        body: settingsBody,
        response: { 200: settings },
      },
    },
    (request) => writing(request, (scope) => changeSettings(scope, model, request.body)),
  );
}
