import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { delayInOrder } from './ordered-delays.ts';

/**
 * The failure of a connection. It can delay each packet, drop all packets or only the responses, or reset the connection. The reset happens when
 * the connection opens, at the first packet or at the response.
 */
export type LineError = 'none' | 'delays' | 'swallows all' | 'swallows answers' | 'refuses' | 'cuts requests' | 'cuts answers';

export type LineProxy = {
  /** The address of the proxy as `host:port`. */
  host: string;
  /** The failure of open and new connections from now on. */
  lineError: LineError;
  close(): void;
};

const delayMs = 400;

/** Starts a proxy in front of a receiver, for any protocol over TCP. Dropped data stays lost after the failure ends. */
export async function startLineProxy(target: { host: string; port: number }): Promise<LineProxy> {
  const open = new Set<Socket>();

  /** Returns the handler of the chunks of one direction, which applies the current failure. */
  function passing(from: Socket, to: Socket, cutBy: LineError, swallowedBy: LineError): (chunk: Buffer) => void {
    const hold = delayInOrder();
    return (chunk) => {
      if (proxy.lineError === cutBy || proxy.lineError === 'refuses') {
        from.resetAndDestroy();
        to.resetAndDestroy();
      } else if (proxy.lineError === 'swallows all' || proxy.lineError === swallowedBy) {
        // A stream with missing bytes is useless, so the proxy discards the rest.
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
