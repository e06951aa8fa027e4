import { hashOfJson } from '../../platform/canonical-json.ts';
import type { PlatformConfig } from '../../platform/config.ts';
import { ConfigError, integer, oneOf, optional, secret, setting, type ValuesOf } from '../../platform/settings.ts';

/** A price in millionths of the operator’s currency per million tokens. */
export type Price = { input: number; output: number };

const models = (value: string): string[] => {
  const names = value.split(',').flatMap((name) => name.trim() || []);
  if (names.some((name) => name.length > 200) || names.length > 50)
    throw new Error('must be at most 50 names of 200 characters, separated by commas');
  return names;
};

function prices(value: string): Map<string, Price> {
  const all = value.split(',').flatMap((item) => item.trim() || []);
  return new Map(
    all.map((item) => {
      const [, name, input, output] = /^(.+)=(\d+(?:\.\d{1,6})?)\/(\d+(?:\.\d{1,6})?)$/.exec(item) ?? [];
      if (name === undefined) throw new Error('must be a list such as small=0.25/2,large=3/15: for each million tokens sent and received');
      return [name.trim(), { input: Number(input) * 1e6, output: Number(output) * 1e6 }];
    }),
  );
}

/** The identifier of a price table: equal prices have the same identifier in any order. */
export const priceTableOf = (all: ReadonlyMap<string, Price>): string => hashOfJson(Object.fromEntries(all)).slice(0, 12);

function modelUrl(value: string): string | undefined {
  if (value === '') return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== '')
    throw new Error('must be an address such as https://api.example.com/v1, without a user name, a query or a fragment');
  return value.replace(/\/+$/, '');
}

/** The settings of this domain. */
export const runSettings = {
  TEAM_AGENT_RUNS_AT_ONCE: setting('concurrent agent runs of one team, over all nodes; more wait', '5', integer(1, 100)),
  TEAM_AGENT_TOKENS_A_DAY: setting('tokens per day (UTC) of all agents of one team', '20000000', integer(1_000, 2_000_000_000)),
  AGENT_MODEL_URL: setting(
    'address of the model of the agents, with the path before `/chat/completions` or `/messages`, such as https://api.example.com/v1. A private address is allowed. Without it no agent runs',
    '',
    modelUrl,
  ),
  AGENT_MODEL_KEY: secret('credential for the model', '', optional),
  AGENT_MODEL_PROTOCOL: setting(
    'protocol of the model: `openai` (chat completions), `anthropic` (messages), or `simulated` for tests only, which returns canned responses and sends no data',
    'openai',
    oneOf('openai', 'anthropic', 'simulated'),
  ),
  AGENT_MODELS: setting('names of the models that agents may use, separated by commas; the first is the default', '', models),
  AGENT_MODEL_REGION: setting('region of the provider, shown to administrators before they enable the model', '', optional),
  AGENT_MODEL_TIMEOUT_SECONDS: setting('deadline of one response of the model', '120', integer(1, 600)),
  AGENT_MODEL_PRICES: setting('prices for each million tokens sent and received, such as small=0.25/2,large=3/15', '', prices),
} as const;

/** The model that the operator has set up. */
export type ModelConfig = {
  protocol: 'openai' | 'anthropic' | 'simulated';
  /** Empty for the protocol `simulated`. */
  url: string;
  /** The origin to which a team allows its content to be sent. */
  origin: string;
  key: string | undefined;
  /** At least one; the first is the default. */
  models: readonly [string, ...string[]];
  region: string | undefined;
  timeoutMs: number;
  prices: ReadonlyMap<string, Price>;
  /** The identifier of these prices. */
  priceTable: string;
};
export type RunConfig = { atOnce: number; tokensADay: number; model: ModelConfig | undefined };

/** Derives the configuration from several settings. Throws a `ConfigError`. */
export function resolveRunsSettings(read: ValuesOf<typeof runSettings>, { production }: PlatformConfig): RunConfig {
  return { atOnce: read.TEAM_AGENT_RUNS_AT_ONCE, tokensADay: read.TEAM_AGENT_TOKENS_A_DAY, model: modelOf(read, production) };
}

function modelOf(read: ValuesOf<typeof runSettings>, production: boolean): ModelConfig | undefined {
  const protocol = read.AGENT_MODEL_PROTOCOL;
  const common = {
    protocol,
    key: read.AGENT_MODEL_KEY,
    region: read.AGENT_MODEL_REGION,
    timeoutMs: read.AGENT_MODEL_TIMEOUT_SECONDS * 1_000,
    prices: read.AGENT_MODEL_PRICES,
    priceTable: priceTableOf(read.AGENT_MODEL_PRICES),
  };
  if (protocol === 'simulated') {
    if (production)
      throw new ConfigError('AGENT_MODEL_PROTOCOL must not be simulated in production, because its responses are fixed texts.');
    return { ...common, url: '', origin: 'simulated', models: ['simulated'] };
  }
  const { AGENT_MODEL_URL: url, AGENT_MODELS: names } = read;
  if (url === undefined) return undefined;
  const [first, ...others] = names;
  if (first === undefined) throw new ConfigError('AGENT_MODELS must list the models at AGENT_MODEL_URL that agents may use.');
  return { ...common, url, origin: new URL(url).origin, models: [first, ...others] };
}
