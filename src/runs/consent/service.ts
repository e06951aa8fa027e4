import type { Reader } from '../../platform/database/database.ts';
import { recordAct } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { ModelConfig } from '../config.ts';
import { settingsChanged } from '../events.ts';
import { runProblems } from '../problems.ts';
import type { AgentSettings, ChangeSettings } from '../schemas.ts';
import * as queries from './queries.ts';

/** The models that runs of a team may ask; nothing where none is set up, or the team lets nothing go there. */
export async function allowedModels(
  { db, team }: { db: Reader; team: string },
  model: ModelConfig | undefined,
): Promise<readonly string[] | 'no_model_configured' | 'model_not_enabled'> {
  if (model === undefined) return 'no_model_configured';
  const row = await db.first(queries.findConsent, { team });
  // What was agreed to was that address: another asks anew.
  if (row?.origin !== model.origin) return 'model_not_enabled';
  const allowed = model.models.filter((name) => row.models.includes(name));
  return allowed.length === 0 ? 'model_not_enabled' : allowed;
}

/** Which model there is, and whether the team lets its content go there. */
export async function getSettings({ db, team }: Pick<ReadScope, 'db' | 'team'>, model: ModelConfig | undefined): Promise<AgentSettings> {
  const row = await db.first(queries.findConsent, { team });
  const given = row !== undefined && row.origin === model?.origin;
  return {
    ...(model === undefined
      ? {}
      : {
          provider: {
            host: model.protocol === 'simulated' ? 'simulated' : new URL(model.origin).host,
            protocol: model.protocol,
            models: [...model.models],
            simulated: model.protocol === 'simulated',
            ...(model.region === undefined ? {} : { region: model.region }),
          },
        }),
    enabled: given,
    models: given ? row.models.filter((name) => model?.models.includes(name)) : [],
    ...(given ? { enabledBy: row.given_by, enabledAt: row.given_at } : {}),
  };
}

/**
 * Lets the content of the team go to the model that is set up, or ends that: runs that are under way end with the next thing that they
 * would ask it. Errors: 409 `no_model`, 422 `model_unknown`.
 */
export async function changeSettings(
  scope: Scope,
  model: ModelConfig | undefined,
  { enabled, models }: ChangeSettings,
): Promise<AgentSettings> {
  const { db, team, now, actor } = scope;
  if (enabled) {
    if (model === undefined) throw runProblems.no_model('Whoever runs the service has set up no model that agents could ask.');
    const wanted = models ?? [...model.models];
    const unknown = wanted.find((name) => !model.models.includes(name));
    if (unknown !== undefined)
      throw runProblems.model_unknown(`There is no model ${JSON.stringify(unknown)}. \`provider.models\` names those there are.`, {
        errors: [{ name: 'models', pointer: '/models', reason: 'names a model that there is not', rule: 'known-model' }],
      });
    if (actor.type !== 'user') throw new Error('what leaves the service is decided by persons');
    db.send(queries.giveConsent, { team, origin: model.origin, models: wanted, by: actor.id, at: now });
    await recordAct(scope, settingsChanged, team, { enabled, origin: model.origin, models: wanted });
  } else if (await db.first(queries.endConsent, { team })) {
    await recordAct(scope, settingsChanged, team, { enabled, models: [] });
  }
  return getSettings(scope, model);
}
