export type StreamEvent = { id: string | undefined; event: string; data: unknown };

/** Opens an event stream and collects its events. `ended` is true after the server has ended it. */
export async function followStream(url: string, token: string, lastEventId?: string) {
  const gone = new AbortController();
  const response = await fetch(url, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: gone.signal,
  });
  const stream = { status: response.status, events: [] as StreamEvent[], ended: false, leave: () => gone.abort() };
  const reading = (async () => {
    let rest = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const all = (rest + chunk).split('\n\n');
      rest = all.pop() ?? '';
      for (const one of all) {
        const { id, event, data } = Object.fromEntries(one.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
        if (event !== undefined) stream.events.push({ id, event, data: JSON.parse(data) });
      }
    }
  })()
    .catch(() => undefined)
    .finally(() => (stream.ended = true));
  return Object.assign(stream, { reading });
}
