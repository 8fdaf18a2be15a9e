// Forwards connections to a server, and can silently drop all data like a failing network: connections stay open, but
// nothing arrives.
import { connect, createServer, type Socket } from "node:net";

export interface Proxy {
  port: number;
  drop: (drops: boolean) => void; // connections that dropped data stay silent for ever
  end: () => Promise<void>;
}

// Returns a port that is free now.
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer(() => undefined);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

export function dropping(port: number): Promise<Proxy> {
  let drops = false;
  const open = new Set<{ near: Socket; far: Socket; silent: boolean }>();
  const server = createServer((near) => {
    const pair = { near, far: connect(port, "127.0.0.1"), silent: drops };
    open.add(pair);
    const forward = (from: Socket, to: Socket): void => {
      from.on("data", (bytes) => {
        if (!pair.silent) to.write(bytes);
      });
      from.on("error", () => undefined);
      from.on("close", () => {
        if (!pair.silent) to.destroy();
      });
    };
    forward(pair.near, pair.far);
    forward(pair.far, pair.near);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () =>
      resolve({
        port: server.address().port,
        drop: (now) => {
          drops = now;
          if (now) for (const pair of open) pair.silent = true;
        },
        end: () => {
          for (const { near, far } of open) {
            near.destroy();
            far.destroy();
          }
          return new Promise((ended) => server.close(ended));
        },
      }),
    );
  });
}
