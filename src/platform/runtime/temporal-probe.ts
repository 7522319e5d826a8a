import { connect } from 'node:http2';

const DESCRIBE_NAMESPACE = '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace';

/** Encodes one protobuf field of type string behind gRPC's five-byte frame header. */
const stringMessage = (text: string): Buffer => {
  const value = Buffer.from(text, 'utf8');
  if (value.length > 127) throw new Error('a namespace name has at most 127 bytes');
  const body = Buffer.concat([Buffer.from([0x0a, value.length]), value]);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(body.length, 1);
  return Buffer.concat([header, body]);
};

/**
 * Returns whether the server on this machine answers for the namespace. The gRPC request is encoded here because this
 * runs before the SDK's native library is loaded, and because the SDK's client waits for seconds after a refused
 * connection.
 */
export const temporalAnswers = (port: number, namespace: string, timeoutMs = 2_000): Promise<boolean> =>
  new Promise((resolve) => {
    const session = connect(`http://127.0.0.1:${port}`);
    const finish = (answer: boolean) => {
      clearTimeout(timer);
      session.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => finish(false), timeoutMs);
    session.on('error', () => finish(false));
    const request = session.request({
      ':method': 'POST',
      ':path': DESCRIBE_NAMESPACE,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    request.on('error', () => finish(false));
    // An error has its gRPC status in the headers, a successful answer in the trailers.
    request.on('response', (headers) => {
      if (headers['grpc-status'] !== undefined && headers['grpc-status'] !== '0') finish(false);
    });
    request.on('trailers', (trailers) => finish(trailers['grpc-status'] === '0'));
    request.on('close', () => finish(false));
    request.resume();
    request.end(stringMessage(namespace));
  });
