/*
 * A model of the synchronization protocol, which Scripts/check-model checks exhaustively with spin.
 *
 * One venue with two levels: A stands for the venue-wide part, which every client holds, and B for a floor, which clients take and
 * drop. Two writers publish and roll back, a database server replicates to a second one, and is restarted and replaced by it.
 * Clients, one after the other, synchronize in whole change sets (which a shared cache may answer) and in pages, and start over when
 * they get 410. Clients affect each other only through the cache and by what they were shown, so one at a time and visitors are enough.
 * With -DTWO_CLIENTS, two take turns.
 *
 * Bounds: REVISIONS revisions, one promotion, one restart after a crash, one prune, CONTENTS contents. Contents are numbers; equal
 * numbers have equal digests. Start-over is one step, so the addresses of its levels are not modelled; nor is the catalogue of all
 * venues, nor two copies of the program that know different revisions.
 *
 * The invariants, whose names the documentation uses, are the assertions with the macro of their name:
 *
 *   GAPLESS      a revision gets the number after the newest one, and its content never changes
 *   ONE_HISTORY  an epoch and a number name one content, whoever is shown it, whenever, from whichever server or cache
 *   EXACT        a client that stores a cursor holds exactly what the revision contains, of the levels that it holds
 *   FORWARD      a client's revision never goes back, except when it starts over
 *   DURABLE      what was acknowledged to a writer exists on every later primary (with a synchronous standby)
 *
 * Options: with -DSYNCHRONOUS, a commit becomes visible when the standby has it. Without, a promotion may lose revisions.
 * A promotion renews the epoch, and a cursor of the former epoch stays valid up to the newest revision that the promoted server has.
 * -DNO_DIGEST_IN_CURSOR shows that this bound suffices, and that digests in cursors are not needed for it.
 * Mistakes that the check must find: -DCLOCK_CURSOR, -DKEEP_EPOCH without a proof, -DLATE_RENEWAL, -DUNPINNED_PAGES,
 * -DUNBOUNDED_FORMER with -DNO_DIGEST_IN_CURSOR, -DCACHE_FORMER with -DTWO_CLIENTS. -DBARRIER shows only what the standby has: with it, a promotion of
 * the synchronous standby need not renew the epoch.
 */

#ifndef REVISIONS
#define REVISIONS 2
#endif
#define EPOCHS 2
#define CONTENTS (REVISIONS + 3)

#define GAPLESS(condition)     assert(condition)
#define ONE_HISTORY(condition) assert(condition)
#define EXACT(condition)       assert(condition)
#define FORWARD(condition)     assert(condition)
#define DURABLE(condition)     assert(condition)

/* A database server: the contents of both levels by revision. */
typedef Server {
    byte head;
    byte a[REVISIONS + 1];
    byte b[REVISIONS + 1];
}

Server server[2];
bit primary;
byte visible;                   /* the newest revision that sessions of the primary see */
byte confirmed;                 /* the newest revision that the standby is known to have */
byte first = 1;                 /* older revisions are pruned */
byte epoch = 1;
byte common;                     /* the newest revision when the epoch was renewed: the former epoch is the same history up to it */
bool renewed = true;            /* false between a promotion and the renewal of the epoch */
byte fresh = 1;                 /* the next content that did not exist before */
byte notified;                  /* the newest number that clients were notified of */

/* What was shown under an epoch and a number, by anybody; 0: nothing. Not part of the protocol. */
typedef Shown { byte a[REVISIONS + 1]; byte b[REVISIONS + 1]; }
Shown shown[EPOCHS + 1];

/* The newest revision that was acknowledged to a writer, and its content. Not part of the protocol. */
byte acknowledged, acknowledged_a, acknowledged_b;

/* A shared cache with room for one response that names both ends, and is therefore immutable. */
byte kept_epoch, kept_from, kept_to, kept_a, kept_b;
byte kept_digest_a, kept_digest_b;

#ifdef CLOCK_CURSOR
byte clock = 1;
byte stamp_a, stamp_b;          /* when the transactions that changed the levels began */
#endif

#ifdef BARRIER
#define NEWEST confirmed
#else
#define NEWEST visible
#endif

#ifdef SYNCHRONOUS
#define HAS_STANDBY (server[1 - primary].head > visible)
#else
#define HAS_STANDBY true
#endif

#define NOW_A(n) server[primary].a[n]
#define NOW_B(n) server[primary].b[n]

inline reveal(e, n, content_a, content_b)
{
    if
    :: shown[e].a[n] == 0 -> shown[e].a[n] = content_a; shown[e].b[n] = content_b
    :: else -> ONE_HISTORY(shown[e].a[n] == content_a && shown[e].b[n] == content_b)
    fi;
    if :: n > notified -> notified = n :: else fi
}

/* Publishes by the rule of the store: on top of the base that was compared, or not at all. */
proctype Writer()
{
    byte base, number, new_a, new_b;
    bit on;
#ifdef CLOCK_CURSOR
    byte stamp;
#endif

    do
    :: atomic {
           visible == server[primary].head && visible < REVISIONS && fresh < CONTENTS ->
           base = server[primary].head; on = primary;
#ifdef CLOCK_CURSOR
           stamp = clock; clock++;
#endif
           if                                   /* an upload that changes A or B, or a rollback */
           :: new_a = fresh; new_b = NOW_B(base); fresh++
           :: base > 0 -> new_a = NOW_A(base); new_b = fresh; fresh++
           :: base > 1 && first < base -> new_a = NOW_A(base - 1); new_b = NOW_B(base - 1)
           fi;
           if :: new_b == 0 -> new_b = fresh; fresh++ :: else fi
       };
       atomic {
           if
#ifdef CLOCK_CURSOR
           /* Two writers of different levels do not conflict, as in a store that orders by time. */
           :: on == primary && server[primary].head < REVISIONS ->
               if :: base > 0 && new_a == NOW_A(base) -> new_a = NOW_A(server[primary].head) :: else fi;
               if :: base > 0 && new_b == NOW_B(base) -> new_b = NOW_B(server[primary].head) :: else fi;
#else
           :: on == primary && server[primary].head == base && server[primary].head < REVISIONS ->
#endif
               number = server[primary].head + 1;
               GAPLESS(NOW_A(number) == 0);
#ifdef CLOCK_CURSOR
               if :: new_a != NOW_A(number - 1) -> stamp_a = stamp :: else fi;
               if :: new_b != NOW_B(number - 1) -> stamp_b = stamp :: else fi;
#endif
               server[primary].a[number] = new_a; server[primary].b[number] = new_b;
               server[primary].head = number
           :: else -> number = 0                /* the head has moved: compared again */
           fi
       };
       atomic {                                 /* acknowledged once it is visible; unknown if the primary was replaced meanwhile */
           if
           :: number > 0 && on == primary && number <= NEWEST ->
               if :: number > acknowledged ->
                      acknowledged = number; acknowledged_a = NOW_A(number); acknowledged_b = NOW_B(number)
                  :: else fi;
               number = 0
           :: number > 0 && on != primary -> number = 0
           :: number == 0
           fi;
           new_a = 0; new_b = 0; base = 0
       }
    od
}

proctype Database()
{
    byte n;
    bit promoted, crashed, pruned;

    do
    :: atomic {                                 /* replication, in order */
           server[1 - primary].head < server[primary].head ->
           n = server[1 - primary].head + 1;
           server[1 - primary].a[n] = NOW_A(n); server[1 - primary].b[n] = NOW_B(n);
           server[1 - primary].head = n; n = 0
       }
    :: atomic {
           (visible < server[primary].head && HAS_STANDBY) -> visible++
       }
    :: atomic { confirmed < visible && confirmed < server[1 - primary].head -> confirmed++ }
    :: atomic {                                 /* after a crash, commits are visible that still waited for the standby */
           !crashed -> crashed = true; visible = server[primary].head
       }
    :: atomic {                                 /* the standby takes over; the old primary becomes its copy */
           !promoted && server[1 - primary].head > 0 ->
           promoted = true; primary = 1 - primary; visible = server[primary].head;
           for (n : 1 .. REVISIONS) {
               server[1 - primary].a[n] = NOW_A(n); server[1 - primary].b[n] = NOW_B(n)
           }
           server[1 - primary].head = server[primary].head; n = 0;
           if :: first > visible -> first = visible :: else fi;
           if :: confirmed > visible -> confirmed = visible :: else fi;
#ifdef SYNCHRONOUS
#ifdef BARRIER
           DURABLE(acknowledged == 0 || (acknowledged <= server[primary].head &&
               NOW_A(acknowledged) == acknowledged_a && NOW_B(acknowledged) == acknowledged_b));
#else
           /* A crash of the primary right before makes commits visible that only it has. */
           DURABLE(crashed || acknowledged == 0 || (acknowledged <= server[primary].head &&
               NOW_A(acknowledged) == acknowledged_a && NOW_B(acknowledged) == acknowledged_b));
#endif
#endif
#ifdef KEEP_EPOCH
#elif defined(LATE_RENEWAL)
           renewed = false
#else
           epoch++; common = visible
#endif
       }
    :: atomic { !renewed -> renewed = true; epoch++; common = visible }
    :: atomic { !pruned && first < NEWEST -> pruned = true; first++ }
    od
}

/* Whether a revision of an epoch is the one with the same number in the present history. */
#ifdef UNBOUNDED_FORMER
#define IS_PRESENT(of_epoch, number) true
#else
#define IS_PRESENT(of_epoch, number) (of_epoch == epoch || number <= common)
#endif

/* Whether a cursor can be continued; otherwise the response is 410. */
#ifdef NO_DIGEST_IN_CURSOR
#define IS_KNOWN (revision == 0 || IS_PRESENT(e, revision) && revision <= NEWEST && revision >= first)
#else
#define IS_KNOWN (revision == 0 || IS_PRESENT(e, revision) && revision <= NEWEST && revision >= first \
    && NOW_A(revision) == digest_a && NOW_B(revision) == digest_b)
#endif

/* The address of a cursor of the former epoch may name a revision that was lost, so a cache does not keep the response. */
#ifdef CACHE_FORMER
#define MAY_BE_KEPT true
#else
#define MAY_BE_KEPT (e == epoch)
#endif

proctype Client()
{
    byte e, revision, digest_a, digest_b;       /* the cursor */
    byte held_a, held_b;                        /* the contents; 0: not held */
    byte to, page_epoch, new_a, new_b, to_a, to_b;
    bool wants_b, lost;
#ifdef TWO_CLIENTS
    byte other_e, other_revision, other_a, other_b, other_held_b;       /* the state of a client that is away */
#endif
#ifdef CLOCK_CURSOR
    byte since;                                 /* the newest stamp that the client has received */
    byte until;
#endif

    do
    :: atomic { revision > 0 -> e = 0; revision = 0; digest_a = 0; digest_b = 0; held_a = 0; held_b = 0 }   /* another client */
#ifdef TWO_CLIENTS
    :: atomic {                                 /* the client goes away, and another one takes its turn */
           revision > 0 && other_revision == 0 ->
           other_e = e; other_revision = revision; other_a = digest_a; other_b = digest_b; other_held_b = held_b;
           e = 0; revision = 0; digest_a = 0; digest_b = 0; held_a = 0; held_b = 0
       }
    :: atomic {                                 /* it is back */
           revision == 0 && other_revision > 0 ->
           e = other_e; revision = other_revision; digest_a = other_a; digest_b = other_b;
           held_a = other_a; held_b = other_held_b;
           other_e = 0; other_revision = 0; other_a = 0; other_b = 0; other_held_b = 0
       }
#endif
    :: atomic { NEWEST > 0 -> reveal(epoch, NEWEST, NOW_A(NEWEST), NOW_B(NEWEST)) }      /* a visitor who stores nothing */
    :: atomic {                                 /* the whole change set in one response */
           NEWEST > 0 ->
           if :: wants_b = true :: wants_b = false fi;
           lost = false; to = NEWEST;
           if
           :: (revision > 0 && kept_to > 0 && kept_to >= revision && kept_to <= notified && kept_epoch == e &&
                   kept_from == revision && kept_digest_a == digest_a && kept_digest_b == digest_b) ->
               to = kept_to; page_epoch = e; to_a = kept_a; to_b = kept_b     /* the address names `to`; the cache has it */
           :: !IS_KNOWN -> lost = true
           :: IS_KNOWN ->
               page_epoch = epoch; to_a = NOW_A(to); to_b = NOW_B(to);
               if                               /* the response may be kept */
               :: revision > 0 && to > revision && kept_to == 0 && MAY_BE_KEPT ->
                   kept_epoch = e; kept_from = revision; kept_to = to; kept_a = to_a; kept_b = to_b;
                   kept_digest_a = digest_a; kept_digest_b = digest_b
               :: true
               fi
           fi;
           if
           :: lost -> skip
           :: else ->
               reveal(page_epoch, to, to_a, to_b);
               FORWARD(to >= revision);
               /* A level that differs from the one at `from` is sent; others are not, and the client keeps what it has. */
#ifdef CLOCK_CURSOR
               if :: revision == 0 || stamp_a > since -> held_a = to_a :: else fi;
               if :: wants_b && (held_b == 0 || stamp_b > since) -> held_b = to_b
                  :: !wants_b -> held_b = 0 :: else fi;
               if :: stamp_a > since -> since = stamp_a :: else fi;
               if :: stamp_b > since -> since = stamp_b :: else fi;
#else
               if :: revision == 0 || digest_a != to_a -> held_a = to_a :: else fi;
               if :: wants_b && (held_b == 0 || digest_b != to_b) -> held_b = to_b
                  :: !wants_b -> held_b = 0 :: else fi;
#endif
               e = page_epoch; revision = to; digest_a = to_a; digest_b = to_b;
               EXACT(held_a == shown[e].a[revision] && (held_b == 0 || held_b == shown[e].b[revision]))
           fi;
           if
           :: lost && NEWEST > 0 && NEWEST >= first ->             /* 410: start over */
               e = epoch; revision = NEWEST; digest_a = NOW_A(revision); digest_b = NOW_B(revision);
               held_a = digest_a; held_b = (wants_b -> digest_b : 0);
               reveal(e, revision, digest_a, digest_b)
           :: else
           fi;
           to = 0; page_epoch = 0; to_a = 0; to_b = 0; wants_b = false; lost = false
       }
#ifndef CLOCK_CURSOR
    :: atomic {                                 /* the first of two pages: level A */
           NEWEST > 0 && IS_KNOWN ->
           to = NEWEST; page_epoch = epoch; to_a = NOW_A(to); to_b = NOW_B(to); new_a = held_a;
           if :: revision == 0 || NOW_A(revision) != to_a -> new_a = to_a :: else fi
       };
       atomic {                                 /* the second page: level B. The cursor of the page names `to`, and what the client holds */
           if
           :: !IS_PRESENT(page_epoch, to) || to > NEWEST || to < first || !IS_KNOWN -> skip      /* 410: the pages are discarded */
           :: else ->
#ifdef UNPINNED_PAGES
               to = NEWEST;
#endif
               new_b = held_b;
               if :: held_b == 0 || NOW_B(revision) != NOW_B(to) -> new_b = NOW_B(to) :: else fi;
               reveal(epoch, to, NOW_A(to), NOW_B(to));
               FORWARD(to >= revision);
#ifndef KEEP_EPOCH
               EXACT(new_a == NOW_A(to) && new_b == NOW_B(to));
#endif
               if                               /* pages with different digests of `to` are discarded */
               :: to_a == NOW_A(to) && to_b == NOW_B(to) ->
                   e = epoch; revision = to; digest_a = NOW_A(to); digest_b = NOW_B(to); held_a = new_a; held_b = new_b;
                   EXACT(held_a == shown[e].a[revision] && held_b == shown[e].b[revision])
               :: else -> skip
               fi
           fi;
           to = 0; page_epoch = 0; to_a = 0; to_b = 0; new_a = 0; new_b = 0
       }
#endif
    od
}

init
{
    atomic { run Writer(); run Writer(); run Database(); run Client() }
}
