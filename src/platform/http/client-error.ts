import { randomUUIDv7 } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problems } from '../problems.ts';
import { problemDocument } from './problem-responses.ts';
import { traceIdOf } from './request-context.ts';

/** Time that a connection stays open so that the client can read the response, while further input is ignored. */
const lateAnswerMs = 2_000;

/** Responds that a request did not arrive in time, and closes its connection. */
export function answerLate(socket: Socket, baseUrl: string): void {
  answerBrokenHttp(Object.assign(new Error('the body arrived too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket, baseUrl);
  setTimeout(() => socket.destroy(), lateAnswerMs).unref();
}

/** Responds to input that is not valid HTTP and never reaches a route. */
export function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket, baseUrl: string): void {
  if (!socket.writable || socket.destroyed) return;
  const problem = brokenHttp(error.code);
  const context = { baseUrl, instance: '/', requestId: randomUUIDv7(), traceId: traceIdOf(undefined) };
  const body = JSON.stringify(problemDocument(problem, context));
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\ncontent-type: application/problem+json; charset=utf-8\r\nx-request-id: ${context.requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function brokenHttp(code: string | undefined) {
  if (code === 'HPE_HEADER_OVERFLOW')
    return problems.headers_too_large('The headers exceed 16 KiB in total. Send fewer and shorter headers.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problems.request_timeout('The request was not complete in time. Send it again.');
  return problems.bad_request('The request is not valid HTTP/1.1. Check the client or proxy that sent it.');
}
