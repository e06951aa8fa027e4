// Completes workflow steps that wait for this endpoint. WEBHOOK_SECRET is the endpoint secret, CHANCERY_URL the service.
import { createServer } from 'node:http';
import { signAnswer, verify, WebhookVerificationError } from '@chancery/webhooks';

const { WEBHOOK_SECRET = '', CHANCERY_URL = '', PORT = '8788' } = process.env;
createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let event;
  try {
    event = verify(Buffer.concat(chunks), request.headers, WEBHOOK_SECRET);
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end();
    return;
  }
  response.writeHead(204).end();
  if (event.type !== 'workflow.step.callback_requested') return;
  const { answerTo, nonce, outcomes } = event.data.data;
  const body = JSON.stringify({ outcome: outcomes[0] }); // Choose the outcome here.
  await fetch(CHANCERY_URL + answerTo, { method: 'POST', headers: signAnswer(body, nonce, WEBHOOK_SECRET), body });
}).listen(Number(PORT), '127.0.0.1');
