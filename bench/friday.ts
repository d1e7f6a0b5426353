import { runPlanner } from './eveningPlanner.ts';
import { runToday } from './eveningToday.ts';
import { type EveningResult, type EveningStop, eveningFaults, eveningOf, sumUp } from './eveningWorld.ts';
import { machine } from './machine.ts';

const EVERY_SECONDS = 60;
const ITERATIONS = 60;

/**
 * A Friday from 18:00 to 23:00, simulated twice with the same orders from 30 shops and 40 drivers: with automatic offers
 * as the service makes them, and with the planner used continuously. Nothing depends on the machine but the times of
 * planning. `--orders=250,400`, `--seeds=1,2,3`.
 */
export async function run(args: string[]): Promise<void> {
  const option = (name: string, fallback: string): number[] =>
    (args.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3) ?? fallback)
      .split(',')
      .map(Number);
  console.log(machine());
  console.log(`a plan every ${EVERY_SECONDS} s, ${ITERATIONS} iterations each`);
  for (const orders of option('orders', '250,400'))
    for (const seed of option('seeds', '1,2')) await compare(orders, seed);
}

async function compare(count: number, seed: number): Promise<void> {
  const evening = await eveningOf(count, seed);
  const millis: number[] = [];
  const sides: [string, EveningStop[]][] = [
    ['today', await runToday(evening)],
    [
      'planner',
      runPlanner(evening, {
        ...{ everySeconds: EVERY_SECONDS, iterations: ITERATIONS, seed },
        onPlan: (each) => millis.push(each),
      }),
    ],
  ];
  for (const [name, stops] of sides)
    for (const fault of eveningFaults(evening, stops)) console.log(`FAULT, ${name}: ${fault}`);
  const results = sides.map(([, stops]) => sumUp(evening, stops));
  console.log(
    `\n${count} orders, seed ${seed}`.padEnd(35) + sides.map(([name]) => name.padStart(16)).join(''),
  );
  for (const [label, textOf] of rows)
    console.log(label.padEnd(34) + results.map((result) => textOf(result).padStart(16)).join(''));
  millis.sort((a, b) => a - b);
  const at = (share: number): string => millis[Math.floor(share * (millis.length - 1))]!.toFixed(0);
  console.log(`${millis.length} plans: median ${at(0.5)} ms, longest ${at(1)} ms`);
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}`;
const reais = (cents: number): string => (cents / 100).toFixed(2);

const rows: [string, (result: EveningResult) => string][] = [
  ['delivered', ({ delivered }) => String(delivered)],
  ['late orders', ({ lateOrders }) => String(lateOrders)],
  ['minutes late', ({ lateSeconds }) => (lateSeconds / 60).toFixed(0)],
  ['driver minutes', ({ driverSeconds }) => (driverSeconds / 60).toFixed(0)],
  ['kilometres', ({ metres }) => (metres / 1000).toFixed(0)],
  ['orders per driver hour', ({ ordersPerDriverHour }) => ordersPerDriverHour.toFixed(2)],
  ['drivers with orders', ({ drivers }) => String(drivers)],
  ['pay: standard deviation, R$', ({ payDeviation }) => reais(payDeviation)],
  ['pay: least and most, R$', ({ payLeast, payMost }) => `${reais(payLeast)}–${reais(payMost)}`],
  ['last delivery', ({ lastAt }) => clock(lastAt)],
];
