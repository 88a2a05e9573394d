// SPDX-License-Identifier: GPL-2.0-only
/*
 * i2c-wheel: an I2C adapter whose chips are a process.
 *
 * i2c-stub has 8-bit registers and no side effects; the wheel's FRAM has 16-bit addresses and its
 * expanders let an interrupt line go when they are read. So every transfer goes, as it is on the
 * wire, to whoever has opened /dev/i2c-wheel, and waits for the answer:
 *
 *   read(2)  gives one transfer: u32 id, u32 count, and for each message u16 addr, u16 flags,
 *            u32 len, followed by the bytes if it is a write. Blocks, or polls readable.
 *   write(2) takes its answer: u32 id, s32 error (0 or -errno), then the bytes of all reads.
 *
 * Nobody has it open: nobody acknowledges (-ENXIO). Open, but not answering: the bus is held, and
 * the adapter gives up after its timeout (-ETIMEDOUT), as the BCM2835's does. A transfer takes its
 * time on the wire at 400 kHz.
 */

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/i2c.h>
#include <linux/init.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#define BUS_NUMBER	1	/* /dev/i2c-1, the header's on every Pi */
#define WIRE_NS_PER_BYTE (9 * 2500)
#define ROOM		PAGE_SIZE

struct wheel_head {
	u32 id;
	u32 count;
};

struct wheel_message {
	u16 addr;
	u16 flags;
	u32 len;
};

struct wheel_answer {
	u32 id;
	s32 error;
};

static DEFINE_MUTEX(lock);	/* of all below but for the completion */
static DECLARE_WAIT_QUEUE_HEAD(asked);
static DECLARE_COMPLETION(answered);
static bool opened, unread, waiting;
static u32 last_id;
static u8 *question;		/* as read(2) gives it */
static size_t question_len;
static u8 *answer;		/* the bytes of all reads */
static size_t answer_len;
static int answer_error;

/* Puts a transfer down for the reader. Returns how many bytes of reads it wants, or an error. */
static int wheel_ask(struct i2c_msg *msgs, int num)
{
	struct wheel_head head = { .id = ++last_id, .count = num };
	size_t wanted = 0;
	int i;

	question_len = sizeof(head);
	memcpy(question, &head, sizeof(head));
	for (i = 0; i < num; i++) {
		struct wheel_message message = {
			.addr = msgs[i].addr, .flags = msgs[i].flags, .len = msgs[i].len,
		};
		bool is_read = msgs[i].flags & I2C_M_RD;

		if (question_len + sizeof(message) + (is_read ? 0 : msgs[i].len) > ROOM)
			return -EMSGSIZE;
		memcpy(question + question_len, &message, sizeof(message));
		question_len += sizeof(message);
		if (is_read) {
			wanted += msgs[i].len;
			continue;
		}
		memcpy(question + question_len, msgs[i].buf, msgs[i].len);
		question_len += msgs[i].len;
	}
	if (wanted > ROOM)
		return -EMSGSIZE;
	answer_len = 0;
	answer_error = 0;
	reinit_completion(&answered);
	unread = waiting = true;
	return wanted;
}

/* The I2C core holds the adapter's lock: one transfer at a time. */
static int wheel_xfer(struct i2c_adapter *adapter, struct i2c_msg *msgs, int num)
{
	size_t at = 0, on_the_wire = 0;
	int wanted, i, ret = num;

	for (i = 0; i < num; i++)
		on_the_wire += 1 + msgs[i].len;
	fsleep(max_t(u64, 1, on_the_wire * WIRE_NS_PER_BYTE / 1000));

	scoped_guard(mutex, &lock) {
		if (!opened)
			return -ENXIO;
		wanted = wheel_ask(msgs, num);
	}
	if (wanted < 0)
		return wanted;
	wake_up_interruptible(&asked);
	if (!wait_for_completion_timeout(&answered, adapter->timeout))
		ret = -ETIMEDOUT;

	guard(mutex)(&lock);
	waiting = unread = false;
	if (ret < 0)
		return ret;
	if (answer_error)
		return answer_error;
	if (answer_len != wanted)
		return -EIO;
	for (i = 0; i < num; i++) {
		if (!(msgs[i].flags & I2C_M_RD))
			continue;
		memcpy(msgs[i].buf, answer + at, msgs[i].len);
		at += msgs[i].len;
	}
	return ret;
}

static u32 wheel_functions(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm wheel_algorithm = {
	.master_xfer = wheel_xfer,
	.functionality = wheel_functions,
};

static struct i2c_adapter wheel_adapter = {
	.owner = THIS_MODULE,
	.name = "wheel",
	.nr = BUS_NUMBER,
	.algo = &wheel_algorithm,
};

static int wheel_open(struct inode *inode, struct file *file)
{
	guard(mutex)(&lock);
	if (opened)
		return -EBUSY;
	opened = true;
	return 0;
}

static int wheel_release(struct inode *inode, struct file *file)
{
	guard(mutex)(&lock);
	opened = unread = false;
	if (waiting) {
		answer_error = -ENXIO;
		waiting = false;
		complete(&answered);
	}
	return 0;
}

static ssize_t wheel_read(struct file *file, char __user *to, size_t room, loff_t *at)
{
	int ret;

	for (;;) {
		ret = wait_event_interruptible(asked, unread);
		if (ret)
			return ret;
		guard(mutex)(&lock);
		if (!unread)
			continue;	/* it was given up meanwhile */
		if (room < question_len)
			return -EMSGSIZE;
		if (copy_to_user(to, question, question_len))
			return -EFAULT;
		unread = false;
		return question_len;
	}
}

static ssize_t wheel_write(struct file *file, const char __user *from, size_t len, loff_t *at)
{
	struct wheel_answer head;

	if (len < sizeof(head) || len - sizeof(head) > ROOM)
		return -EINVAL;
	if (copy_from_user(&head, from, sizeof(head)))
		return -EFAULT;
	guard(mutex)(&lock);
	if (!waiting || head.id != last_id)
		return -ESTALE;	/* the adapter has given up */
	if (head.error > 0)
		return -EINVAL;
	answer_len = len - sizeof(head);
	answer_error = head.error;
	if (copy_from_user(answer, from + sizeof(head), answer_len))
		return -EFAULT;
	waiting = false;
	complete(&answered);
	return len;
}

static __poll_t wheel_poll(struct file *file, struct poll_table_struct *table)
{
	poll_wait(file, &asked, table);
	return (unread ? EPOLLIN | EPOLLRDNORM : 0) | EPOLLOUT | EPOLLWRNORM;
}

static const struct file_operations wheel_operations = {
	.owner = THIS_MODULE,
	.open = wheel_open,
	.release = wheel_release,
	.read = wheel_read,
	.write = wheel_write,
	.poll = wheel_poll,
};

static struct miscdevice wheel_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "i2c-wheel",
	.fops = &wheel_operations,
};

static int __init wheel_init(void)
{
	int ret;

	question = kmalloc(ROOM, GFP_KERNEL);
	answer = kmalloc(ROOM, GFP_KERNEL);
	if (!question || !answer)
		return -ENOMEM;
	ret = misc_register(&wheel_device);
	return ret ? ret : i2c_add_numbered_adapter(&wheel_adapter);
}
/* After the I2C core, before i2c-dev looks for adapters or after: it takes both. */
device_initcall(wheel_init);
