import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { holdInOrder } from './ordered-delays.ts';

/**
 * What a line does to what goes over it: lets it through; holds up each packet; swallows all, in both directions or on the
 * way back; resets connections as they come, at the first packet or when the answer comes.
 */
export type LineError = 'none' | 'delays' | 'swallows all' | 'swallows answers' | 'refuses' | 'cuts requests' | 'cuts answers';

export type LineProxy = {
  /** Where it listens, as `host:port`. */
  host: string;
  /** What becomes of connections, those that are open as well, from now on. */
  lineError: LineError;
  close(): void;
};

const delayMs = 400;

/** A proxy before a receiver, for any protocol over TCP. What was swallowed does not come after all when the line is well again. */
export async function startLineProxy(target: { host: string; port: number }): Promise<LineProxy> {
  const open = new Set<Socket>();

  /** What becomes of each chunk of one direction, by the fault of the moment. */
  function passing(from: Socket, to: Socket, cutBy: LineError, swallowedBy: LineError): (chunk: Buffer) => void {
    const hold = holdInOrder();
    return (chunk) => {
      if (proxy.lineError === cutBy || proxy.lineError === 'refuses') {
        from.resetAndDestroy();
        to.resetAndDestroy();
      } else if (proxy.lineError === 'swallows all' || proxy.lineError === swallowedBy) {
        // A stream with a hole in it is of no use later on.
        from.removeAllListeners('data').resume();
      } else {
        hold(proxy.lineError === 'delays' ? delayMs : 0, () => to.writable && to.write(chunk));
      }
    };
  }

  const server = createServer((client) => {
    open.add(client);
    client.on('error', () => undefined).on('close', () => open.delete(client));
    if (proxy.lineError === 'refuses') {
      client.resetAndDestroy();
      return;
    }
    const receiver = connect(target);
    open.add(receiver);
    receiver.on('error', () => undefined).on('close', () => open.delete(receiver));
    client.on('data', passing(client, receiver, 'cuts requests', 'swallows all')).on('close', () => receiver.destroy());
    receiver.on('data', passing(receiver, client, 'cuts answers', 'swallows answers')).on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: LineProxy = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    lineError: 'none',
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
  return proxy;
}
