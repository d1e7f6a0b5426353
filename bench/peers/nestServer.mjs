import 'reflect-metadata';
import { Body, Controller, Get, Inject, Module, NotFoundException, Param, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PrismaPg } from '@prisma/adapter-pg';
import { DELIVERY_COLUMNS, JOINED_COLUMNS, STOP_COLUMNS } from './deliveryColumns.ts';
import { PrismaClient } from './generated/client.ts';

/** NestJS and Prisma as their guides use them. Node does not support decorators, so they are applied by hand below. */
BigInt.prototype.toJSON = function toJSON() {
  return this.toString();
};

const prisma = new PrismaClient({
  adapter: new PrismaPg(
    { connectionString: process.env.DATABASE_URL, max: Number(process.env.PEER_POOL) },
    { schema: 'peers' },
  ),
});

const chosen = (columns) => Object.fromEntries(columns.map((column) => [column, true]));
const PAGE_FIELDS = {
  ...chosen(DELIVERY_COLUMNS),
  ...Object.fromEntries(
    Object.entries(JOINED_COLUMNS).map(([name, columns]) => [name, { select: chosen(columns) }]),
  ),
  stops: { select: chosen(STOP_COLUMNS), orderBy: { position: 'asc' } },
};

class Deliveries {
  constructor(client) {
    this.prisma = client;
  }

  async status(id) {
    const found = await this.prisma.delivery.findUnique({
      where: { id: BigInt(id) },
      select: { status: true },
    });
    if (!found) throw new NotFoundException();
    return found;
  }

  page(central, limit, page) {
    return this.prisma.delivery.findMany({
      where: { central_id: Number(central) },
      orderBy: [{ requested_at: 'desc' }, { id: 'desc' }],
      take: Number(limit),
      skip: (Number(page) - 1) * Number(limit),
      select: PAGE_FIELDS,
    });
  }

  async create({ stops, ...delivery }) {
    const at = new Date();
    const { id } = await this.prisma.delivery.create({
      data: {
        ...delivery,
        requested_at: at,
        stops: { create: stops },
        events: {
          create: { type: 'delivery.status', payload: { status: delivery.status }, occurred_at: at },
        },
      },
      select: { id: true },
    });
    return { id };
  }
}

class App {}

const method = (name, decorate, ...parameters) => {
  decorate(Deliveries.prototype, name, Object.getOwnPropertyDescriptor(Deliveries.prototype, name));
  for (const [index, parameter] of parameters.entries()) parameter(Deliveries.prototype, name, index);
};
method('status', Get('deliveries/:id/status'), Param('id'));
method('page', Get('centrals/:central/deliveries'), Param('central'), Query('limit'), Query('page'));
method('create', Post('deliveries'), Body());
Inject(PrismaClient)(Deliveries, undefined, 0);
Controller()(Deliveries);
Module({ controllers: [Deliveries], providers: [{ provide: PrismaClient, useValue: prisma }] })(App);

const app = await NestFactory.create(App, { logger: ['error'] });
await app.listen(Number(process.env.PORT), '127.0.0.1');
