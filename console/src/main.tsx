import { MantineProvider } from '@mantine/core';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { styleNonce } from './address.ts';
import { renewListsAfter } from './live.ts';
import { Announcer } from './parts/announcer.tsx';
import { Toasts } from './parts/toasts.tsx';
import { ApiProblem } from './problems/api-problem.ts';
import { router } from './routes.ts';
import { session, SignedOutError } from './session/session.ts';
import './styles.css';
import { cssVariables, theme } from './theme.ts';
import { restrictSinks } from './trusted-types.ts';

restrictSinks();
setNonce(styleNonce);

const maxRetries = 2;
/** A refused request stays refused. Other errors can pass. */
const mayRetry = (count: number, error: unknown) =>
  count < maxRetries && !(error instanceof SignedOutError) && !(error instanceof ApiProblem && error.status < 500);

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey }) => renewListsAfter(client, queryKey, error) }),
  defaultOptions: { queries: { retry: mayRetry, staleTime: 15_000 }, mutations: { retry: false } },
});

// The router checks at each navigation whether a person is signed in, and here when that changes.
let reader: string | undefined;
session.subscribe(() => {
  const { state } = session;
  const next = state.status === 'signed in' ? `${state.claims.sub} ${state.claims.team}` : undefined;
  if (next === reader) return;
  reader = next;
  client.clear();
  void router.invalidate();
});

const root = document.querySelector('#root');
if (!root) throw new Error('The page has no root.');
await session.start().catch(() => undefined);
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
      deduplicateInlineStyles
    >
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
        <Toasts />
        <Announcer />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
