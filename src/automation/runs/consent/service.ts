import type { Reader } from '../../../platform/database/database.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { ModelConfig } from '../config.ts';
import { settingsChanged } from '../events.ts';
import { runProblems } from '../problems.ts';
import type { AgentSettings, ChangeSettings } from '../schemas.ts';
import * as queries from './queries.ts';

/** What the runs of a team may ask, and what they may cost on one day (UTC), in millionths, where that is limited. */
export type Allowed = { models: readonly string[]; maxCostPerDay: number | null };

/** The models that runs of a team may ask; a code where none is set up, or the team lets nothing go there. */
export async function allowedModels(
  { db, team }: { db: Reader; team: string },
  model: ModelConfig | undefined,
): Promise<Allowed | 'no_model_configured' | 'model_not_enabled'> {
  if (model === undefined) return 'no_model_configured';
  const row = await db.first(queries.findConsent, { team });
  // What was agreed to was that address: another asks anew.
  if (row?.origin !== model.origin) return 'model_not_enabled';
  const models = model.models.filter((name) => row.models.includes(name));
  return models.length === 0 ? 'model_not_enabled' : { models, maxCostPerDay: row.max_cost_per_day };
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
    ...(given && row.max_cost_per_day !== null ? { maxCostMicrosPerDay: row.max_cost_per_day } : {}),
    ...(given ? { enabledBy: row.given_by, enabledAt: row.given_at } : {}),
  };
}

/**
 * Lets the content of the team go to the model that is set up, or ends that: runs that are under way end with the next thing that they
 * would ask it. Errors: 409 `no_model`, 422 `model_not_found`, `model_price_unknown`.
 */
export async function changeSettings(
  scope: Scope,
  model: ModelConfig | undefined,
  { enabled, models, maxCostMicrosPerDay: cost = null }: ChangeSettings,
): Promise<AgentSettings> {
  const { db, team, now, actor } = scope;
  if (enabled) {
    if (model === undefined) throw runProblems.no_model('The operator of the service has configured no model for agents.');
    const wanted = models ?? [...model.models];
    const unknown = wanted.find((name) => !model.models.includes(name));
    if (unknown !== undefined)
      throw runProblems.model_not_found(`There is no model ${JSON.stringify(unknown)}. \`provider.models\` names those there are.`, {
        errors: [{ name: 'models', pointer: '/models', reason: 'names a model that there is not', rule: 'known-model' }],
      });
    if (cost !== null && !wanted.some((name) => model.prices.has(name)))
      throw runProblems.model_price_unknown(
        'What runs of the team may cost is limited, and none of the models that may be asked has a price.',
      );
    if (actor.type !== 'user') throw new Error('what leaves the service is decided by persons');
    db.send(queries.giveConsent, { team, origin: model.origin, models: wanted, cost, by: actor.id, at: now });
    const limit = cost === null ? {} : { maxCostMicrosPerDay: cost };
    await recordAudit(scope, settingsChanged, team, { enabled, origin: model.origin, models: wanted, ...limit });
  } else if (await db.first(queries.endConsent, { team })) {
    await recordAudit(scope, settingsChanged, team, { enabled, models: [] });
  }
  return getSettings(scope, model);
}
