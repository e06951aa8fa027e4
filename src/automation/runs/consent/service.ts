import type { Reader } from '../../../platform/database/database.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { ModelConfig } from '../config.ts';
import { settingsChanged } from '../events.ts';
import { runProblems } from '../problems.ts';
import type { AgentSettings, ChangeSettings } from '../schemas.ts';
import * as queries from './queries.ts';

/** The models that a team allows, and its cost limit per day (UTC) in millionths of the currency, or null. */
export type Allowed = { models: readonly string[]; maxCostPerDay: number | null };

/** Returns the models that runs of a team may use. Returns an error code if no model is configured or the team has not consented. */
export async function allowedModels(
  { db, team }: { db: Reader; team: string },
  model: ModelConfig | undefined,
): Promise<Allowed | 'no_model_configured' | 'model_not_enabled'> {
  if (model === undefined) return 'no_model_configured';
  const row = await db.first(queries.findConsent, { team });
  // The consent is for this address only: another address needs a new consent.
  if (row?.origin !== model.origin) return 'model_not_enabled';
  const models = model.models.filter((name) => row.models.includes(name));
  return models.length === 0 ? 'model_not_enabled' : { models, maxCostPerDay: row.max_cost_per_day };
}

/** Returns the configured model, and whether the team allows sending its content there. */
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
 * Allows sending the content of the team to the configured model, or stops it. After a stop, runs in progress end before their next request to the
 * model. Throws 409 `no_model`, and 422 `model_not_found` or `model_price_unknown`.
 */
export async function changeSettings(
  scope: Scope,
  model: ModelConfig | undefined,
  { enabled, models, maxCostMicrosPerDay: cost = null }: ChangeSettings,
): Promise<AgentSettings> {
  const { db, team, now, actor } = scope;
  if (enabled) {
    if (model === undefined)
      throw runProblems.no_model(
        'The operator of the service has configured no model for agents. Ask the operator to set `AGENT_MODEL_URL`.',
      );
    const wanted = models ?? [...model.models];
    const unknown = wanted.find((name) => !model.models.includes(name));
    if (unknown !== undefined)
      throw runProblems.model_not_found(
        `The model ${JSON.stringify(unknown)} does not exist. \`provider.models\` lists the configured models.`,
        {
          errors: [{ name: 'models', pointer: '/models', reason: 'contains a model that is not configured', rule: 'known-model' }],
        },
      );
    if (cost !== null && !wanted.some((name) => model.prices.has(name)))
      throw runProblems.model_price_unknown(
        'The cost of the team is limited, and none of the models has a price. Choose a model with a price, or remove the limit.',
      );
    if (actor.type !== 'user') throw new Error('only a person can allow sending content to a model');
    db.send(queries.giveConsent, { team, origin: model.origin, models: wanted, cost, by: actor.id, at: now });
    const limit = cost === null ? {} : { maxCostMicrosPerDay: cost };
    await recordAudit(scope, settingsChanged, team, { enabled, origin: model.origin, models: wanted, ...limit });
  } else if (await db.first(queries.endConsent, { team })) {
    await recordAudit(scope, settingsChanged, team, { enabled, models: [] });
  }
  return getSettings(scope, model);
}
